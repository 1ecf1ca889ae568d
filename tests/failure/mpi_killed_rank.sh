#!/bin/sh
# mpi_killed_rank.sh PROGRAM PROCESSES MPIRUN…: runs the program with recovery, and checks what the
# survivors wrote. Fails when they do not end: every step of theirs is bounded. KILLED_ARGUMENT is
# handed to the program, behind the folder.
set -eu
program=$1
processes=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
# The launcher's own status says nothing of the survivors' when it recovers. MPICH's tells them of a
# death by SIGUSR1, which ends who does not ignore it.
# shellcheck disable=SC2016
timeout 60 "$@" -n "$processes" sh -c 'trap "" USR1; "$0" "$1" "${KILLED_ARGUMENT:-}"; echo "exit code $?" >>"$1/left.$$"' \
  "$program" "$folder" || status=$?
echo "exit status of the job: $status"
cat "$folder"/*
if [ $status = 124 ]; then echo "survivors hang" && exit 1; fi
survivors=$((processes - 1))
if [ "$(cat "$folder"/* | grep -c '^named the victim')" != $survivors ]; then exit 1; fi
if [ "$(cat "$folder"/* | grep -c '^refused: .*lost a process')" != $survivors ]; then exit 1; fi
if [ "$(cat "$folder"/left.* | grep -c '^exit code 4$')" != $survivors ]; then exit 1; fi
