package tidepool.base;

import java.util.List;

/** Finds the known name that a mistyped name most likely means, by the number of letters that differ. */
public final class NameSuggestion {
    private NameSuggestion() {}

    /** Returns the nearest candidate, or null if none is near enough to be worth a question. */
    public static String to(String typed, List<String> candidates) {
        String nearest = null;
        int fewest = 1 + typed.length() / 3;
        for (String candidate : candidates) {
            int edits = edits(typed, candidate);
            if (edits <= fewest) {
                nearest = candidate;
                fewest = edits - 1;
            }
        }
        return nearest;
    }

    /**
     * Returns the number of letters to insert, delete, replace or swap with their neighbour; after Damerau, restricted
     * to one edit a place.
     */
    private static int edits(String from, String into) {
        int[][] cost = new int[from.length() + 1][into.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= into.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = cost[i - 1][j - 1] + (from.charAt(i - 1) == into.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (swapped(from, i, into, j)) cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
        return cost[from.length()][into.length()];
    }

    private static boolean swapped(String from, int i, String into, int j) {
        return i > 1 && j > 1 && from.charAt(i - 1) == into.charAt(j - 2) && from.charAt(i - 2) == into.charAt(j - 1);
    }
}
