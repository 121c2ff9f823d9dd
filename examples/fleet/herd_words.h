/* The option --retry-after of herd and choose. SPDX-License-Identifier: MIT */
#ifndef HERD_WORDS_H
#define HERD_WORDS_H

#include "herd_model.h"
#include "../common/options.h"

#define HERD_NOT_SET UINT32_MAX
#define HERD_WORD_SLOT (UINT32_MAX - 1)
#define HERD_WORD_WINDOW (UINT32_MAX - 2)

extern const struct option_word herd_after_words[];

#define OPTION_RETRY_AFTER(number) \
    { "retry-after", "S", "what a refusal says: seconds, slot, window, none", number, 0, 4000000, \
      herd_after_words, NULL }

/* Sets the answer to a refused request. Exits if the answer needs a window, and the setup has none. */
void herd_set_answer(struct herd_setup *setup, uint32_t value);

#endif
