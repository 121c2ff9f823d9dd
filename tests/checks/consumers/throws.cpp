// A C++ operation throws through redial_run, and a thread is cancelled in it: the caller's objects are destroyed.
// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <stdio.h>
#include <redial.h>

struct watched {
    bool *gone;
    ~watched() { *gone = true; }
};

static struct redial_outcome throws(void *, const struct redial_attempt *)
{
    throw 42;
}

static struct redial_outcome is_cancelled(void *, const struct redial_attempt *)
{
    pthread_cancel(pthread_self());
    pthread_testcancel();
    return redial_done();
}

static void *cancelled_thread(void *gone)
{
    static const struct redial_policy policy = REDIAL_POLICY_DEFAULT;
    watched above = { static_cast<bool *>(gone) };
    redial_run(&policy, redial_system(), is_cancelled, NULL, NULL);
    return NULL;
}

int main()
{
    struct redial_policy policy = redial_policy_default();
    bool thrown = false, destroyed = false;
    pthread_t thread;
    try {
        redial_run(&policy, redial_system(), throws, NULL, NULL);
    } catch (int value) {
        thrown = value == 42;
    }
    pthread_create(&thread, NULL, cancelled_thread, &destroyed);
    pthread_join(thread, NULL);
    printf("%s, %s\n", thrown ? "thrown" : "not thrown", destroyed ? "cancelled" : "not cancelled");
    return 0;
}
