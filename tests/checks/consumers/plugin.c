/* A plugin with a redial of its own inside: it says what that redial calls a success. SPDX-License-Identifier: MIT */
#include <redial.h>

const char *plugin_says(void);

const char *plugin_says(void)
{
    return redial_verdict_name(REDIAL_DONE);
}
