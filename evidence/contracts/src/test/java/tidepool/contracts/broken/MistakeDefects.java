package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onMem;

import java.util.List;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;

/** Traces of rounds that are rejected when they are posted. */
final class MistakeDefects {
    /** More verbs than the rounds of other tests have in front of a bad one. */
    private static final int FRAME = 50;

    private MistakeDefects() {}

    static void mistakes(List<Defect> all) {
        all.add(onMem(
                "rejected round sent in part",
                "sends the verbs before a CALL that is too long, and rejects the round then",
                f -> new LimitedCallFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new LimitedLane(session, lane) {
                            @Override
                            protected void reject(Round round, int bad) {
                                for (int i = 0; i < bad; i++) step(round, round.verb(i));
                                super.reject(round, bad);
                            }
                        };
                    }
                },
                "roundThatIsThrownOutLeavesNoTrace"));
        all.add(onMem(
                "first frame of a rejected round sent",
                "sends the first verbs of a long round before it finds that a CALL is too long",
                f -> new LimitedCallFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new LimitedLane(session, lane) {
                            @Override
                            protected void reject(Round round, int bad) {
                                if (bad > FRAME) for (int i = 0; i < FRAME; i++) step(round, round.verb(i));
                                super.reject(round, bad);
                            }
                        };
                    }
                },
                "longRoundThatIsThrownOutLeavesNoTrace"));
        all.add(onMem(
                "rejected round counted",
                "asks the node in a round of its own whether it takes a CALL that is too long",
                f -> new LimitedCallFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new LimitedLane(session, lane) {
                            @Override
                            protected void reject(Round round, int bad) {
                                round(1).flush(round.verb(bad).link()).post().await();
                                super.reject(round, bad);
                            }
                        };
                    }
                },
                "roundThatIsThrownOutLeavesNoTrace"));
    }
}
