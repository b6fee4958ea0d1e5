// Several numbers at a time, where the processor can.
#pragma once

// Loops marked so are compiled twice, and the machine takes the wider one. No fused operations: both
// give the same bits.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WEAKLEARN_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WEAKLEARN_WIDE
#endif
