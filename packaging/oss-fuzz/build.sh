#!/bin/bash -eu
# The flags of the sanitizer and of the engine are in CXXFLAGS and LIB_FUZZING_ENGINE.
cmake -S . -B "$WORK/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DWEAKLEARN_FUZZ="$LIB_FUZZING_ENGINE"
cmake --build "$WORK/build"
for target in graph_arrays compact_graphs datasets; do
  cp "$WORK/build/tests/fuzz/fuzz_$target" "$OUT/"
  zip -qj "$OUT/fuzz_${target}_seed_corpus.zip" tests/fuzz/corpus/$target/*
done
