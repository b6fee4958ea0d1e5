// Fits of trees whose rows are in several parts, each perhaps in another process. The process that fits has a dataset
// that only describes the columns, and CountedRows (C45Options::counted, TopDownOptions::counted). A process with rows
// has a PartOfRows for each part. The unit of weights is found in the steps of tree/weight_unit.hpp.
#pragma once

#include "tree/counted_rows.hpp"
#include "tree/part_of_rows.hpp"
#include "tree/weight_unit.hpp"
