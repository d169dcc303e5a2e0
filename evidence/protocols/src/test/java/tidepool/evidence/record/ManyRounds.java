package tidepool.evidence.record;

import java.util.ArrayList;
import java.util.List;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;

/** Rounds that are used in turn. There are enough of them that a wait for one is rare. */
public final class ManyRounds {
    private static final int MAX_ROUNDS = 64;

    private final List<Round> rounds = new ArrayList<>();
    private int next;

    public Round take(Lane lane, int capacity) {
        if (rounds.size() < MAX_ROUNDS) rounds.add(lane.round(capacity));
        Round round = rounds.get(next++ % MAX_ROUNDS);
        round.settle();
        return round;
    }

    public void settle() {
        for (Round round : rounds) round.settle();
    }
}
