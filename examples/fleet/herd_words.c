/* The option --retry-after of herd and choose. SPDX-License-Identifier: MIT */
#include "herd_words.h"

const struct option_word herd_after_words[] = {
    { "none", HERD_NOT_SET }, { "slot", HERD_WORD_SLOT }, { "window", HERD_WORD_WINDOW }, { NULL, 0 }
};

void herd_set_answer(struct herd_setup *setup, uint32_t value)
{
    setup->answer = value == HERD_NOT_SET ? HERD_PLAIN
                  : value == HERD_WORD_SLOT ? HERD_SLOT
                  : value == HERD_WORD_WINDOW ? HERD_REST : HERD_CONSTANT;
    setup->after_s = setup->answer == HERD_CONSTANT ? value : 0;
    if (setup->answer == HERD_REST && setup->window_ms == 0)
        options_refuse("--retry-after window", "--window must say how long one is");
}
