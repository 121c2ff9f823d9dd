/* standards(7) of illumos: a strict compiler sees ISO C alone, unless __EXTENSIONS__ or a
   standard's macro is defined. _DEFAULT_SOURCE is none of these. */
#pragma GCC system_header
#ifndef ILLUMOS_FEATURES_H
#define ILLUMOS_FEATURES_H
#undef _DEFAULT_SOURCE
#ifdef __EXTENSIONS__
#define _DEFAULT_SOURCE
#endif
#include_next <features.h>
#endif
