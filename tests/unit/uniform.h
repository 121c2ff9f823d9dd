/* Random bits must be uniform, and different in every process and thread. SPDX-License-Identifier: MIT */
#ifndef UNIFORM_H
#define UNIFORM_H

#ifndef _WIN32
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "support.h"

#define CHILDREN 8
#define DRAWS 5

typedef uint32_t draw_function(void);

/* Each of the 32 bits is set in half of the draws, give or take 7 standard deviations of sqrt(draws)/2. Each value of
   each byte comes equally often: chi-square, 255 degrees of freedom, so 255 give or take 8 times sqrt(510). */
static inline void assert_uniform(draw_function *draw, unsigned draws)
{
    static unsigned bytes[4][256];
    unsigned i, value, bit, bits[32] = { 0 };
    memset(bytes, 0, sizeof bytes);
    for (i = 0; i < draws; i++) {
        uint32_t random = draw();
        for (bit = 0; bit < 32; bit++)
            bits[bit] += random >> bit & 1;
        for (bit = 0; bit < 32; bit += 8)
            bytes[bit / 8][random >> bit & 255]++;
    }
    for (bit = 0; bit < 32; bit++) {
        double off = 2.0 * bits[bit] - draws;
        assert_true(off * off < 49.0 * draws);
    }
    for (i = 0; i < 4; i++) {
        double expected = draws / 256.0, chi_square = 0;
        for (value = 0; value < 256; value++)
            chi_square += (bytes[i][value] - expected) * (bytes[i][value] - expected) / expected;
        assert_true(chi_square > 75 && chi_square < 435);
    }
}

static inline void assert_pairwise_different(uint32_t sequences[][DRAWS], unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            assert_memory_not_equal(sequences[i], sequences[j], sizeof sequences[i]);
}

static inline void draw_sequence(draw_function *draw, uint32_t sequence[DRAWS])
{
    for (unsigned i = 0; i < DRAWS; i++)
        sequence[i] = draw();
}

#ifndef _WIN32

/* The parent draws first, so that children which copied its state would draw alike. They start within a millisecond. */
static inline void assert_differs_between_processes(draw_function *draw)
{
    uint32_t sequences[CHILDREN + 1][DRAWS];
    const ssize_t size = (ssize_t)sizeof sequences[0];
    int i, status, ends[2];
    assert_int_equal(pipe(ends), 0);
    draw_sequence(draw, sequences[CHILDREN]);
    for (i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            draw_sequence(draw, sequences[i]);
            _exit(write(ends[1], sequences[i], (size_t)size) != size);
        }
    }
    for (i = 0; i < CHILDREN; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
        assert_true(read(ends[0], sequences[i], (size_t)size) == size);
    }
    close(ends[0]);
    close(ends[1]);
    assert_pairwise_different(sequences, CHILDREN + 1);
}

struct drawing_thread {
    pthread_t thread;
    draw_function *draw;
    uint32_t *sequence;
};

static inline void *draw_in_thread(void *arg)
{
    struct drawing_thread *self = arg;
    draw_sequence(self->draw, self->sequence);
    return NULL;
}

static inline void assert_differs_between_threads(draw_function *draw)
{
    uint32_t sequences[2][DRAWS];
    struct drawing_thread threads[2];
    for (unsigned i = 0; i < 2; i++) {
        threads[i].draw = draw;
        threads[i].sequence = sequences[i];
        assert_int_equal(pthread_create(&threads[i].thread, NULL, draw_in_thread, &threads[i]), 0);
    }
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
    assert_pairwise_different(sequences, 2);
}

#endif

#endif
