package tidepool.protocol;

import java.util.Locale;
import tidepool.fabric.Round;

/**
 * The steps of a transaction, by the words of the phase tables. A round carries the step for which it is sent as its
 * {@link Round#label}: the fault sites of a real process, and the lines that tell of them, are named so.
 */
public enum Step {
    /** Rounds of no transaction: recovery, and the places of coordinators. */
    OTHER,
    SNAPSHOT,
    LOOKUP,
    LOCK,
    READ,
    VALUES,
    STAMP,
    ANNOUNCE,
    VALIDATE,
    LOG,
    COMMIT,
    SETTLE,
    COPY,
    RELEASE,
    ABORT;

    private static final Step[] ALL = values();

    /** Labels a round that is built or about to be posted. */
    public Round on(Round round) {
        return round.label(ordinal());
    }

    /** The step for which a round is sent. */
    public static Step of(Round round) {
        return ALL[round.label()];
    }

    /** The step of that name; an unknown name is an {@link IllegalArgumentException} with the known ones. */
    public static Step named(String name) {
        for (Step step : ALL) if (step.toString().equals(name)) return step;
        throw new IllegalArgumentException("unknown step '" + name + "'; known: " + names());
    }

    private static String names() {
        StringBuilder names = new StringBuilder();
        for (Step step : ALL) names.append(names.isEmpty() ? "" : ", ").append(step);
        return names.toString();
    }

    /** As it stands in the phase tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
