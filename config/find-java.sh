# Finds Java for the launchers: ./tidepool of a checkout reads this file, and the distribution has it as
# lib/find-java.sh. Plain sh: images of containers often have no bash.
#
#   TIDEPOOL_JAVA_HOME   the Java to use, 25 or newer; otherwise JAVA_HOME or the usual places
#   TIDEPOOL_JDK_PLACES  folders to look for Java in, instead of the usual places

needed=25

# True for the home of a new enough Java; "JDK" asks for a compiler too. Reads its release file: starting each candidate
# would cost most of a second.
is_java() {
    [ -x "$2/bin/java" ] && [ -r "$2/release" ] || return 1
    [ "$1" != JDK ] || [ -x "$2/bin/javac" ] || return 1
    version=0
    while IFS= read -r line; do
        case $line in
            JAVA_VERSION=*)
                version=${line#JAVA_VERSION=}
                version=${version#\"}
                version=${version%%[!0-9]*}
                ;;
        esac
    done < "$2/release"
    [ "${version:-0}" -ge "$needed" ]
}

# Sets JAVA_HOME. The argument is what is needed, as messages call it: "JDK" or "Java runtime".
find_java() {
    if [ -n "${TIDEPOOL_JAVA_HOME:-}" ]; then
        is_java "$1" "$TIDEPOOL_JAVA_HOME" ||
            fail "TIDEPOOL_JAVA_HOME is not a $1 $needed or newer: $TIDEPOOL_JAVA_HOME"
        JAVA_HOME=$TIDEPOOL_JAVA_HOME
        return
    fi
    if [ -n "${JAVA_HOME:-}" ] && is_java "$1" "$JAVA_HOME"; then return; fi
    for home in ${TIDEPOOL_JDK_PLACES-/usr/lib/jvm/* /opt/* /opt/*/* \
        "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home}; do
        if is_java "$1" "$home"; then
            JAVA_HOME=$home
            return
        fi
    done
    if home=$(command -v java) && home=$(readlink -f "$home") && is_java "$1" "${home%/bin/java}"; then
        JAVA_HOME=${home%/bin/java}
        return
    fi
    fail "no $1 $needed or newer found; install one, or set TIDEPOOL_JAVA_HOME to where it lies"
}

# Where no locale is set, as in most containers, Java would print '?' for every letter that ASCII does not have.
encoding=
if [ -z "${LC_ALL:-}${LC_CTYPE:-}${LANG:-}" ]; then
    encoding="-Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8"
fi
