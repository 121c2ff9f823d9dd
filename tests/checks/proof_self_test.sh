#!/bin/bash
# A broken copy of the library fails the proof that is about it.
exec "$(dirname "$0")/../proof/run" --self-test
