package tidepool.workload.recorded;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tidepool.history.UnknownOutcome;
import tidepool.protocol.Step;

/**
 * The outcomes of the transactions that were under way when their process died, by the place of the death.
 *
 * @param sites by the step in which a thread was stopped before its process was killed; and {@link #ANY_MOMENT}
 * @param recoveries the work of the recoverers on them
 * @param replacedMillis from each death until its replacement was at work, sorted
 * @param workingReplacements the number of replacements that committed a transaction
 */
public record Deaths(
        Map<String, Site> sites, RecoveryTally recoveries, List<Double> replacedMillis, int workingReplacements) {
    /** The place of threads that the signal met at an arbitrary moment. */
    public static final String ANY_MOMENT = "any moment";

    public Deaths {
        sites = new TreeMap<>(sites);
        replacedMillis = replacedMillis.stream().sorted().toList();
    }

    /**
     * The death of a process.
     *
     * @param places of its threads that had been stopped before
     * @param replacedMillis until its replacement was at work; 0 if there is none
     * @param commits of its replacement
     */
    record Death(List<Place> places, double replacedMillis, long commits) {
        Death {
            places = List.copyOf(places);
        }
    }

    /**
     * The place where a thread was stopped.
     *
     * @param step the step of its transaction
     * @param verbs number of verbs of its round that were sent
     * @param of number of all verbs of its round
     * @param process its number in the history
     */
    record Place(Step step, int verbs, int of, long process) {
        static Place parse(String text) {
            String[] words = text.split(" ", -1);
            return new Place(
                    Step.named(words[0]),
                    Integer.parseInt(words[1]),
                    Integer.parseInt(words[2]),
                    Long.parseLong(words[3]));
        }
    }

    /**
     * The outcomes at one place.
     *
     * @param threads those that were stopped there
     * @param happened transactions of theirs that wrote and took effect
     * @param undone those that wrote and did not
     * @param onlyRead those that only read
     */
    public record Site(int threads, int happened, int undone, int onlyRead) {
        static final Site NONE = new Site(0, 0, 0, 0);

        Site stopped() {
            return new Site(threads + 1, happened, undone, onlyRead);
        }

        Site with(UnknownOutcome unknown) {
            return new Site(
                    threads,
                    happened + (unknown.writes() && unknown.happened() ? 1 : 0),
                    undone + (unknown.writes() && !unknown.happened() ? 1 : 0),
                    onlyRead + (unknown.writes() ? 0 : 1));
        }
    }

    /** @param unknown those of the whole history */
    static Deaths of(List<Death> deaths, List<UnknownOutcome> unknown, RecoveryTally recoveries) {
        Map<String, Site> sites = new TreeMap<>();
        Map<Long, String> aimed = new HashMap<>();
        for (Death death : deaths)
            for (Place place : death.places()) {
                String step = place.step().toString();
                sites.put(step, sites.getOrDefault(step, Site.NONE).stopped());
                aimed.put(place.process(), step);
            }
        for (UnknownOutcome one : unknown) {
            String site = aimed.getOrDefault(one.process(), ANY_MOMENT);
            sites.put(site, sites.getOrDefault(site, Site.NONE).with(one));
        }
        List<Double> millis =
                deaths.stream().map(Death::replacedMillis).filter(m -> m > 0).toList();
        int working = (int) deaths.stream().filter(death -> death.commits() > 0).count();
        return new Deaths(sites, recoveries, millis, working);
    }

    /** Returns the number of unknown transactions that wrote and took effect. */
    public int happened() {
        return sites.values().stream().mapToInt(Site::happened).sum();
    }

    /** Returns the number of unknown transactions that wrote and did not take effect. */
    public int undone() {
        return sites.values().stream().mapToInt(Site::undone).sum();
    }

    /** Returns the outcomes as text for people. */
    List<String> text() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "Recovery  %,d times: %,d transactions finished, %,d undone, %,d more locks freed",
                recoveries.sessions(),
                recoveries.finished(),
                recoveries.undone(),
                recoveries.locksFreed()));
        if (!replacedMillis.isEmpty())
            lines.add(String.format(
                    Locale.ROOT,
                    "Replaced  after %.0f ms (p50), %.0f ms at most; %d of %d replacements committed",
                    replacedMillis.get(replacedMillis.size() / 2),
                    replacedMillis.getLast(),
                    workingReplacements,
                    replacedMillis.size()));
        lines.add(String.format(
                Locale.ROOT, "%-16s %7s %9s %9s %10s", "Died in", "threads", "happened", "did not", "only read"));
        sites.forEach((name, site) -> lines.add(String.format(
                Locale.ROOT,
                "  %-14s %7d %9d %9d %10d",
                name,
                site.threads(),
                site.happened(),
                site.undone(),
                site.onlyRead())));
        return lines;
    }
}
