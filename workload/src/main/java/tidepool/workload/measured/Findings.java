package tidepool.workload.measured;

import java.util.ArrayList;
import java.util.List;

/** What a check has found, a sentence each. Only the first few are kept; the others are counted. */
public final class Findings {
    private static final int KEPT = 10;

    private final List<String> kept = new ArrayList<>();
    private long more;

    /** Notes what is wrong. */
    public void add(String sentence) {
        if (kept.size() < KEPT) kept.add(sentence);
        else more++;
    }

    /** Notes that two numbers differ that should be the same. */
    public void same(String what, long expected, long found) {
        if (expected != found)
            add(what + ": expected " + expected + ", found " + found + ", difference " + (found - expected));
    }

    /** All that was noted; empty if nothing was. */
    public List<String> list() {
        List<String> all = new ArrayList<>(kept);
        if (more > 0) all.add("and " + more + " more");
        return List.copyOf(all);
    }
}
