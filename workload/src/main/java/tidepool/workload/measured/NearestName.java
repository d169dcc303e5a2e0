package tidepool.workload.measured;

import java.util.List;

/** Guesses which name somebody meant, by the number of letters that differ. */
final class NearestName {
    private NearestName() {}

    /** The nearest candidate, or null if none is near enough to be worth a question. */
    static String to(String typed, List<String> candidates) {
        String nearest = null;
        int fewest = 1 + typed.length() / 3;
        for (String candidate : candidates) {
            int edits = edits(typed, candidate);
            if (edits > fewest) continue;
            nearest = candidate;
            fewest = edits - 1;
        }
        return nearest;
    }

    /** Letters to insert, delete or replace, after Levenshtein. */
    private static int edits(String from, String into) {
        int[] above = new int[into.length() + 1];
        for (int j = 0; j < above.length; j++) above[j] = j;
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = above[j - 1] + (from.charAt(i - 1) == into.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[into.length()];
    }
}
