package tidepool.protocol;

import java.util.Locale;
import tidepool.fabric.Round;

/**
 * The steps of a transaction, with the words of the protocols' tables. A protocol lists its steps ({@link
 * Protocol#steps}) and has a method of that name for each. A round carries the step for which it is sent as its
 * {@link Round#label}. Traffic is counted by it, traces print it, and crash points of simulations, fault sites of real
 * processes and the lines that report them use it.
 */
public enum Step {
    /** Rounds of no transaction: recovery, and claims of coordinator places. */
    OTHER,
    SNAPSHOT,
    LOOKUP,
    LOCK,
    READ,
    VALUES,
    STAMP,
    ANNOUNCE,
    VALIDATE,
    PREPARE,
    LOG,
    COMMIT,
    SETTLE,
    COPY,
    RELEASE,
    ABORT;

    private static final Step[] ALL = values();

    private final String word = name().toLowerCase(Locale.ROOT);

    /** Labels a round that is built or about to be posted. */
    public Round on(Round round) {
        return round.label(ordinal());
    }

    /** Returns the step for which a round is sent. */
    public static Step of(Round round) {
        return labelled(round.label());
    }

    /** Returns the step whose rounds carry a label. */
    public static Step labelled(int label) {
        return ALL[label];
    }

    /** Returns the word of a label in traces; empty for rounds of no transaction. */
    public static String word(int label) {
        return label == OTHER.ordinal() ? "" : labelled(label).word;
    }

    /**
     * Returns the step of that name. An unknown name is an {@link IllegalArgumentException} that lists the known ones.
     */
    public static Step named(String name) {
        for (Step step : ALL) if (step.toString().equals(name)) return step;
        throw new IllegalArgumentException("unknown step '" + name + "'; known: " + names());
    }

    private static String names() {
        StringBuilder names = new StringBuilder();
        for (Step step : ALL) names.append(names.isEmpty() ? "" : ", ").append(step);
        return names.toString();
    }

    /** Returns the word of the tables. */
    @Override
    public String toString() {
        return word;
    }
}
