package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onSim;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;

/** Defects that show only where verbs take time. */
final class TimeDefects {
    private TimeDefects() {}

    static void inTime(List<Defect> all) {
        all.add(onSim(
                "fences dropped",
                "forgets to tell the network which verbs are fenced",
                f -> new FilterFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new FilterLane(session, lane) {
                            @Override
                            protected void add(Verb verb, Round carrier) {
                                Region region = verb.region() == null ? null : ((FilterRegion) verb.region()).inner;
                                Link link = ((FilterLink) verb.link()).inner;
                                Verbs.add(verb, carrier, link, region, verb.offset(), verb.length());
                            }
                        };
                    }
                },
                "fencedWriteFollowsAtomic",
                "fencedAtomicFollowsAtomic",
                "fencedWriteFollowsRead",
                "fencedAtomicFollowsRead",
                "fencedWriteFollowsChain",
                "fenceReachesOverRounds"));
        all.add(onSim(
                "orders overclaimed by the network",
                "says that it keeps every order, and keeps those of RDMA",
                f -> new FilterFabric(f) {
                    @Override
                    public OrderTable orders() {
                        return OrderTable.PROGRAM;
                    }
                },
                "fencedWriteFollowsAtomic",
                "fencedAtomicFollowsAtomic",
                "fencedWriteFollowsRead",
                "fencedAtomicFollowsRead"));
        all.add(onSim(
                "FLUSH does nothing",
                "answers a FLUSH as soon as it has arrived",
                IdleFlush::new,
                "flushedWritesSurvivePowerFailure"));
        all.add(onSim(
                "acknowledged when sent",
                "lets await return before WRITEs have arrived",
                Hasty::new,
                "acknowledgedMeansApplied",
                "acknowledgedVerbIsVisibleToAllSessions"));
        all.add(onSim(
                "deadline ignored",
                "waits as long as it takes",
                f -> new FilterFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new FilterLane(session, lane) {
                            @Override
                            protected void post(Round round) {
                                Round carrier = carrierFor(round);
                                for (int i = 0; i < round.count(); i++) add(round.verb(i), carrier);
                                if (round.isBackground()) carrier.postInBackground();
                                else carrier.post();
                            }
                        };
                    }
                },
                "missedDeadlineTellsTheTruth"));
        all.add(silence(
                "silence taken for NOT_DONE",
                "says that verbs without an answer were not done",
                Effect.NOT_DONE,
                "lateVerbMayLandAfterItsDeadline",
                "lateVerbNeverLandsAfterRevocation",
                "brokenConnectionTellsTheTruth"));
        all.add(silence(
                "silence taken for DONE",
                "says that verbs without an answer were done",
                Effect.DONE,
                "lateVerbNeverLandsAfterRevocation",
                "deadNodeFailsItsOwnVerbsOnly"));
        all.add(onSim(
                "overtaking denied",
                "says of every verb after a refused one that it was not done",
                f -> new FilterFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new FilterLane(session, lane) {
                            @Override
                            protected void report(Round round, Round carrier, FabricException e) {
                                super.report(round, carrier, e);
                                boolean refused = false;
                                for (int i = 0; i < round.count(); i++) {
                                    if (refused) round.verb(i).failed(Effect.NOT_DONE, null);
                                    refused |= round.verb(i).refusal() != null;
                                }
                            }
                        };
                    }
                },
                "verbThatPassedARefusedOneSaysSo"));
    }

    private static Defect silence(String name, String what, Effect said, String... caughtBy) {
        return onSim(
                name,
                what,
                f -> new FilterFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new FilterLane(session, lane) {
                            @Override
                            protected void report(Round round, Round carrier, FabricException e) {
                                super.report(round, carrier, e);
                                for (int i = 0; i < round.count(); i++)
                                    if (round.verb(i).effect() == Effect.UNKNOWN)
                                        round.verb(i).failed(said, null);
                            }
                        };
                    }
                },
                caughtBy);
    }

    /** Sends a READ where a FLUSH was asked for. */
    private static final class IdleFlush extends FilterFabric {
        IdleFlush(Fabric inner) {
            super(inner);
        }

        @Override
        protected FilterLink newLink(FilterLane lane, Link link) {
            return new RememberingLink(lane, link);
        }

        @Override
        protected FilterLane newLane(FilterSession session, Lane lane) {
            MemorySegment nowhere = lane.landing(Words.BYTES);
            return new FilterLane(session, lane) {
                @Override
                protected void add(Verb verb, Round carrier) {
                    Region region = verb.kind() == VerbKind.FLUSH ? ((RememberingLink) verb.link()).last : null;
                    if (region == null) super.add(verb, carrier);
                    else carrier.read(region, 0, Words.BYTES, nowhere, 0);
                }
            };
        }

        private final class RememberingLink extends FilterLink {
            Region last;

            RememberingLink(FilterLane lane, Link link) {
                super(lane, link);
            }

            @Override
            public Region open(Id128 capability) {
                FilterRegion region = (FilterRegion) super.open(capability);
                last = region.inner;
                return region;
            }
        }
    }

    /** Awaits rounds of WRITEs when their carrier is needed again. */
    private static final class Hasty extends FilterFabric {
        Hasty(Fabric inner) {
            super(inner);
        }

        @Override
        protected FilterLane newLane(FilterSession session, Lane lane) {
            return new FilterLane(session, lane) {
                private final List<Round> open = new ArrayList<>();

                @Override
                protected void post(Round round) {
                    Round carrier = carrierFor(round);
                    if (open.remove(carrier)) carrier.await();
                    super.post(round);
                }

                @Override
                protected void await(Round round) {
                    boolean writes = !round.isBackground();
                    for (int i = 0; i < round.count(); i++)
                        writes &= round.verb(i).kind() == VerbKind.WRITE;
                    if (!writes) {
                        super.await(round);
                        return;
                    }
                    for (int i = 0; i < round.count(); i++) round.verb(i).done();
                    open.add(carrierFor(round));
                }
            };
        }
    }
}
