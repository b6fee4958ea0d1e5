/* A @model_name@ of weaklearn, exported to C99.
 *
 * A row is an array of @upper@_N_INPUTS doubles, one for each name in @name@_inputs. NAN is a missing
 * value. @name@_input_kinds has the kind of each input:
 *   number    the number itself
 *   date      seconds since 1970-01-01 00:00 UTC; a time without a zone counts as UTC
 *   nominal   what @name@_encode returns for the value: row[i] = @name@_encode(i, "red")
 *   ignored   anything, since the model does not read it
 *
 * A function uses about @n_bytes@ bytes of stack, allocates nothing and can be called by many threads at once.
 * For the same bits as in weaklearn compile with -ffp-contract=off and without -ffast-math.
 */
#ifndef @upper@_H
#define @upper@_H

#ifdef __cplusplus
extern "C" {
#endif

#define @upper@_N_INPUTS @n_inputs@
#define @upper@_N_LABELS @n_labels@

/* UTF-8 texts. */
extern const char *const @name@_inputs[];
extern const char *const @name@_input_kinds[];
extern const char *const @name@_labels[];

/* Returns the number that stands for a value of a nominal input in a row. NULL, and a value that did not occur in
 * training, give NAN: missing. Texts are compared byte by byte. */
double @name@_encode(int input, const char *value);

/* Returns the index in @name@_labels of the predicted class. */
int @name@_predict(const double *row);

/* Writes @upper@_N_LABELS probabilities, in the order of @name@_labels. */
void @name@_predict_proba(const double *row, double *probabilities);

/* Writes @upper@_N_LABELS numbers from which the prediction follows, in the order of @name@_labels:
//# if committee
 * the sum of the votes for each label. */
//# end
//# if alone
//# if separators
 * the output in favour of each label. */
//# end
//# if no_separators
 * the share of each label. */
//# end
//# end
void @name@_scores(const double *row, double *scores);

#ifdef __cplusplus
}
#endif

#endif
