package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onMem;
import static tidepool.contracts.broken.Defect.onSim;

import java.util.ArrayList;
import java.util.List;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;

/** Rounds in the background that are sent too early, too late, or although they must not be. */
final class FollowingDefects {
    private FollowingDefects() {}

    static void following(List<Defect> all) {
        all.add(onSim(
                "following round sent at once",
                "relies on the order of posting where there is none",
                f -> new FilterFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new FilterLane(session, lane) {
                            @Override
                            protected void post(Round first, Round next) {
                                post(first);
                                post(next);
                            }
                        };
                    }
                },
                "followingRoundIsSentAfterEveryAnswer",
                "followingRoundWaitsForTheSlowest",
                "followingRoundIsNotSentAfterAFailure"));
        all.add(onSim(
                "following round sent when a strand waits",
                "keeps it until it is settled",
                f -> new FilterFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new FilterLane(session, lane) {
                            private final List<Round> kept = new ArrayList<>();

                            @Override
                            protected void post(Round first, Round next) {
                                post(first);
                                kept.add(next);
                            }

                            @Override
                            protected void await(Round round) {
                                if (kept.remove(round)) post(round);
                                super.await(round);
                            }

                            @Override
                            protected boolean isComplete(Round round) {
                                return !kept.contains(round) && super.isComplete(round);
                            }
                        };
                    }
                },
                "followUpRoundNeedsNoWaiter"));
        all.add(onMem(
                "following round sent after a failure",
                "does not ask what became of the first",
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @Override
                            protected void post(Round first, Round next) {
                                post(first);
                                post(next);
                            }
                        };
                    }
                },
                "followingRoundIsNotSentAfterAFailure"));
    }
}
