package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onMem;

import java.util.List;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Round;

/** Superfluous trips and garbage. */
final class CountingDefects {
    private CountingDefects() {}

    static void counting(List<Defect> all) {
        all.add(onMem(
                "one trip more",
                "asks in a round of its own whether the round has arrived",
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            private Round probe;

                            @Override
                            protected void await(Round round) {
                                if (round == probe) return;
                                if (probe == null) probe = round(1);
                                Link link = round.verb(0).link();
                                if (!link.isBroken()) probe.flush(link).post().await();
                            }
                        };
                    }
                },
                "singleVerbsAreCounted",
                "roundsThatOverlapAreOneTrip"));
        all.add(onMem(
                "garbage",
                "allocates something for every round",
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @SuppressWarnings("unused")
                            private Object kept;

                            @Override
                            protected void post(Round round) {
                                kept = new long[4];
                                super.post(round);
                            }
                        };
                    }
                },
                "roundsAllocateNothing"));
    }
}
