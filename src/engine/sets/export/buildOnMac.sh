# Exit status: 0 made and every file is right, 1 something failed, 2 wrong usage, 5 a program is missing, 6 a file differs from
# the plan, 7 the image is there already or a source is not.
# shellcheck shell=sh disable=SC2154
set -u
umask 022
LC_ALL=C
export LC_ALL

# stop STATUS MESSAGE
stop() {
  printf '%s\n' "$2" >&2
  exit "$1"
}

usage() {
  stop 2 "usage: sh build-on-mac.sh [-o FOLDER] [SOURCE...]"
}

# absolute PATH
absolute() {
  case $1 in
    /*) printf '%s\n' "$1/" ;;
    *) printf '%s\n' "$PWD/$1/" ;;
  esac
}

here=$(dirname -- "$0"; echo /)
here=$(CDPATH='' cd -- "${here%??}" && pwd; echo /)
here=${here%??}
target=$here/images
while getopts o: option; do
  case $option in
    o)
      target=$(absolute "$OPTARG")
      target=${target%/}
      ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
if [ "$#" -gt 0 ]; then
  [ "$#" -eq "$sources" ] || stop 2 "this plan has $sources sources: name all of them, or none"
  number=0
  for folder; do
    number=$((number + 1))
    folder=$(absolute "$folder")
    eval "source_$number=\${folder%/}"
  done
fi

command -v "$program" > /dev/null || stop 5 "cannot find $program: this script runs on a Mac"
if command -v shasum > /dev/null; then
  digest() { shasum -a 256 "$@"; }
elif command -v sha256sum > /dev/null; then
  digest() { sha256sum "$@"; }
else
  stop 5 "cannot find shasum or sha256sum"
fi
# shasum does not know the escape of a carriage return: such names are checked one by one.
check() {
  status=0
  grep -v -e '^\\.*\\r' -- "$1" > "$scratch/plain" || :
  grep -e '^\\.*\\r' -- "$1" > "$scratch/escaped" || :
  if [ -s "$scratch/plain" ]; then digest -c "$scratch/plain" || status=1; fi
  while IFS= read -r line; do
    name=$(printf '%b.' "${line#*  }")
    found=$(digest < "${name%.}") || found=
    if [ "\\${found%% *}" = "${line%% *}" ]; then
      printf '%s: OK\n' "${line#*  }"
    else
      printf '%s: FAILED\n' "${line#*  }"
      status=1
    fi
  done < "$scratch/escaped"
  return "$status"
}
number=0
while [ "$number" -lt "$sources" ]; do
  number=$((number + 1))
  eval "from=\$source_$number"
  [ -e "$from" ] || [ -L "$from" ] || stop 7 "cannot find the source $from: name the place of each source on this Mac"
done

mkdir -p -- "$target" || stop 1 "cannot make the folder $target"
image=$target/$label$ending
# The ending decides what is made, so it stays at the end.
unfinished=$target/$label-unfinished$ending
[ ! -e "$image" ] || stop 7 "$image is there already"
[ ! -e "$unfinished" ] || stop 7 "$unfinished is left over from an earlier run: eject its volume if it has one, and delete it"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/stowage-mac.XXXXXX") || stop 1 "cannot make a folder for temporary files"
volume=$scratch/volume
attached=
secret=
made=

# eject: macOS may keep a volume busy for a moment
eject() {
  [ -n "$attached" ] || return 0
  tries=0
  until detach "$volume" > /dev/null 2> "$scratch/log"; do
    tries=$((tries + 1))
    if [ "$tries" -ge 5 ]; then
      cat "$scratch/log" >&2
      return 1
    fi
    sleep 2
  done
  attached=
}

finish() {
  status=$?
  trap - EXIT
  [ ! -t 0 ] || stty echo
  if ! eject; then
    printf '%s\n' "cannot eject $volume: eject it, then delete $unfinished" >&2
    [ "$status" -ne 0 ] || status=1
  elif [ -z "$made" ]; then
    rm -rf -- "$unfinished"
  fi
  # A volume may still be there: its files are not to be removed.
  rm -f -- "$scratch/log" "$scratch/checked" "$scratch/failed" "$scratch/plain" "$scratch/escaped"
  [ ! -d "$volume" ] || rmdir -- "$volume"
  rmdir -- "$scratch"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' HUP INT TERM

# read_secret: from the terminal, unseen and twice; else one line of the input
read_secret() {
  if [ ! -t 0 ]; then
    IFS= read -r secret || [ -n "$secret" ] || stop 2 "a password is needed"
  else
    stty -echo
    printf 'Password of the new image: ' >&2
    IFS= read -r secret
    printf '\nThe same again: ' >&2
    IFS= read -r again
    printf '\n' >&2
    stty echo
    [ "$secret" = "$again" ] || stop 2 "the passwords differ"
  fi
  [ -n "$secret" ] || stop 2 "the password is empty"
}

# with_secret COMMAND...: the password goes to its standard input and nowhere else
with_secret() {
  if [ -z "$encrypted" ]; then
    "$@" < /dev/null
  elif [ "$program" = hdiutil ]; then
    printf '%s\0' "$secret" | "$@"
  else
    printf '%s' "$secret" | "$@"
  fi
}

# open_image read|write: attaches the image at the folder volume
open_image() {
  [ -d "$volume" ] || mkdir -- "$volume"
  with_secret attach "$1" "$volume" "$unfinished" > "$scratch/log" || stop 1 "cannot open $unfinished"
  attached=yes
}

# copy FROM TO LIST: what the list names, without what lies in its folders
copy() {
  mkdir -p -- "$2" || stop 1 "cannot make $2"
  {
    tar -c --format pax -C "$1" --no-recursion --null -T "$3" -f - || : > "$scratch/failed"
  } | tar -x -p -C "$2" -f - || : > "$scratch/failed"
  [ ! -e "$scratch/failed" ] || stop 1 "cannot copy the files of $1"
}

if [ -n "$encrypted" ]; then read_secret; fi
printf '%s\n' "Making $image"
with_secret create "$unfinished" > "$scratch/log" || stop 1 "cannot make $unfinished"
open_image write
number=0
while [ "$number" -lt "$sources" ]; do
  number=$((number + 1))
  eval "from=\$source_$number to=\$to_$number list=\$list_$number"
  printf '%s\n' "Copying $from"
  if [ -n "$list" ]; then
    copy "$from" "$volume/$to" "$here/$list"
  else
    cp -R -P -p -- "$from" "$volume/$to" || stop 1 "cannot copy $from"
  fi
done
cp -R -- "$here/$payload/." "$volume/" || stop 1 "cannot copy the index and the checksums"
eject || stop 1 "cannot eject $volume"

# Opened again, so that the image is read and not what is left in memory.
printf '%s\n' "Checking every file by SHA-256"
open_image read
if ! (cd -- "$volume" && check "$here/$sums") > "$scratch/checked" 2> "$scratch/log"; then
  grep -v ': OK$' "$scratch/checked" >&2
  cat "$scratch/log" >&2
  stop 6 "the files differ from the plan: a source has changed, or the disk has failed; make a new plan or run this again"
fi
files=$(grep -c ': OK$' "$scratch/checked")
eject || stop 1 "cannot eject $volume"
mv -- "$unfinished" "$image" || stop 1 "cannot rename $unfinished"
made=yes
cp -- "$here/RESTORE.txt" "$target/$label-RESTORE.txt" || stop 1 "cannot copy RESTORE.txt"
printf '%s\n' "$image is made: $files files are right by SHA-256"
