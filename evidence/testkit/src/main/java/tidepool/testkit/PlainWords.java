package tidepool.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Words that comments, documents, help texts and names do not use. The first ones hide the actor; the others are words
 * of places, and hide what precedes or follows where no place is meant.
 */
public final class PlainWords {
    static final Pattern ACTORS =
            Pattern.compile("\\b(whoever|somebody|nobody|anybody|everybody|so many)\\b", Pattern.CASE_INSENSITIVE);
    static final Pattern PLACES = Pattern.compile("\\b(behind|beside)\\b", Pattern.CASE_INSENSITIVE);

    private static final List<String> NAMES =
            List.of("whoever", "somebody", "nobody", "anybody", "everybody", "behind", "beside");
    private static final Pattern PART = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

    private PlainWords() {}

    /** Returns the words of a text that are to be replaced, in the order of their kinds. */
    public static List<String> in(String text) {
        List<String> words = new ArrayList<>(matches(ACTORS, text));
        words.addAll(matches(PLACES, text));
        return words;
    }

    static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).toList();
    }

    /** Returns whether an identifier has such a word as a part: {@code isBehind}, {@code LEFT_BEHIND}. */
    static boolean isIn(String identifier) {
        TreeSet<String> parts = new TreeSet<>();
        PART.matcher(identifier)
                .results()
                .forEach(part -> parts.add(part.group().toLowerCase(Locale.ROOT)));
        return !Collections.disjoint(parts, NAMES);
    }
}
