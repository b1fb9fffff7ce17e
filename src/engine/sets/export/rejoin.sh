#!/bin/sh
# Joins the files that were too large for one volume, and restores nothing else.
# Usage: sh REJOIN.sh TARGET-FOLDER VOLUME-FOLDER...
# Exit status: as of RESTORE.sh, which does this where it is called by this name
case $0 in
  */*) script=${0%/*}/RESTORE.sh ;;
  *) script=./RESTORE.sh ;;
esac
# shellcheck source=/dev/null
. "$script"
