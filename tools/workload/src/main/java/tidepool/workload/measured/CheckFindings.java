package tidepool.workload.measured;

import java.util.ArrayList;
import java.util.List;

/** The findings of a check, a sentence each. Only the first few are kept; the others are counted. */
public final class CheckFindings {
    private static final int KEPT = 10;

    private final List<String> kept = new ArrayList<>();
    private long more;

    /** Adds a finding. */
    public void add(String sentence) {
        if (kept.size() < KEPT) kept.add(sentence);
        else more++;
    }

    /** Adds a finding if the two numbers differ. */
    public void same(String what, long expected, long found) {
        if (expected != found)
            add(what + ": expected " + expected + ", found " + found + ", difference " + (found - expected));
    }

    /** Returns all findings; empty if there are none. */
    public List<String> list() {
        List<String> all = new ArrayList<>(kept);
        if (more > 0) all.add("and " + more + " more");
        return List.copyOf(all);
    }
}
