package tidepool.evidence.faults;

import tidepool.protocol.Step;
import tidepool.sim.CrashPlace;
import tidepool.sim.Simulation;

/** Where the strands of a scene died, in the words of the protocol's table, for the message of a failure. */
final class CrashPlaces {
    private CrashPlaces() {}

    /**
     * Returns {@code ", victim at LOCK, verb 3 of 7"} for each of these strands that died at its planned point. Verbs
     * are counted from 1, within their round.
     */
    static String of(Simulation simulation, String... strands) {
        StringBuilder text = new StringBuilder();
        for (String strand : strands) {
            CrashPlace place = simulation.crashPlace(strand);
            if (place == null) continue;
            text.append(", ")
                    .append(strand)
                    .append(" at ")
                    .append(Step.labelled(place.label()).name());
            text.append(", verb ").append(place.verb() + 1).append(" of ").append(place.verbs());
        }
        return text.toString();
    }
}
