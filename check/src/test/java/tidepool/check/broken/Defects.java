package tidepool.check.broken;

import static tidepool.check.broken.Defect.onMem;
import static tidepool.check.broken.Defect.onSim;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Orders;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;

/** The broken fabrics. Each has one defect; whoever finds a new kind of bug in a fabric adds it here. */
final class Defects {
    private Defects() {}

    static List<Defect> all() {
        List<Defect> all = new ArrayList<>();
        order(all);
        atomicity(all);
        access(all);
        failures(all);
        sessions(all);
        answers(all);
        counting(all);
        inTime(all);
        return all;
    }

    // ---- order

    private static void order(List<Defect> all) {
        all.add(onMem(
                "fences ignored",
                "a fenced verb overtakes the READs and atomics before it",
                f -> new Reordering(
                        f, (before, behind) -> behind.fenced() && !Orders.RDMA.keeps(before.kind(), behind.kind())),
                "fencedWriteFollowsAtomic",
                "fencedAtomicFollowsAtomic"));
        all.add(onMem(
                "orders overclaimed",
                "says that it keeps every order, and keeps those of RDMA",
                f -> new Reordering(
                        f, (before, behind) -> !behind.fenced() && !Orders.RDMA.keeps(before.kind(), behind.kind())),
                "fencedWriteFollowsAtomic",
                "fencedAtomicFollowsAtomic"));
        all.add(onMem(
                "WRITEs swapped",
                "two WRITEs of a round arrive in the opposite order",
                f -> new Reordering(
                        f, (before, behind) -> before.kind() == VerbKind.WRITE && behind.kind() == VerbKind.WRITE),
                "writeFollowsWrite",
                "blockFollowsWord"));
        all.add(onMem(
                "READs swapped",
                "two READs of a round are carried out in the opposite order",
                f -> new Reordering(
                        f, (before, behind) -> before.kind() == VerbKind.READ && behind.kind() == VerbKind.READ),
                "readFollowsRead"));
        all.add(onMem(
                "READ overtakes WRITE",
                "a READ looks before the WRITE in front of it has arrived",
                f -> new Reordering(
                        f, (before, behind) -> before.kind() == VerbKind.WRITE && behind.kind() == VerbKind.READ),
                "readSeesTheWriteBeforeIt",
                "readFollowsWrite"));
        all.add(onMem(
                "READ overtakes CAS",
                "a READ looks before the atomic in front of it has happened",
                f -> new Reordering(
                        f,
                        (before, behind) ->
                                FilterFabric.Verbs.isAtomic(before.kind()) && behind.kind() == VerbKind.READ),
                "readBehindCompareAndSwapSeesItsEffect",
                "readFollowsAtomic"));
        all.add(onMem(
                "atomic overtakes WRITE",
                "the lock is taken before the log in front of it is written",
                f -> new Reordering(
                        f,
                        (before, behind) ->
                                before.kind() == VerbKind.WRITE && FilterFabric.Verbs.isAtomic(behind.kind())),
                "atomicFollowsWrite"));
    }

    /** Whether the second of two neighbours on one link is carried out first. */
    private interface Overtaking {
        boolean overtakes(Verb before, Verb behind);
    }

    /** Swaps neighbours of one link, and takes its time between them. */
    private static final class Reordering extends StepFabric {
        private final Overtaking rule;

        Reordering(Fabric inner, Overtaking rule) {
            super(inner);
            this.rule = rule;
        }

        @Override
        protected FilterLane newLane(FilterSession session, Lane lane) {
            return new StepLane(session, lane) {
                private boolean swapped;

                @Override
                protected int[] order(Round round) {
                    int[] order = new int[round.count()];
                    for (int i = 0; i < order.length; i++) order[i] = i;
                    swapped = false;
                    for (int i = 1; i < order.length; i++) {
                        Verb before = round.verb(order[i - 1]);
                        Verb behind = round.verb(order[i]);
                        if (before.link() != behind.link() || !rule.overtakes(before, behind)) continue;
                        int moved = order[i];
                        order[i] = order[i - 1];
                        order[i - 1] = moved;
                        swapped = true;
                    }
                    return order;
                }

                @Override
                protected void step(Round round, Verb verb) {
                    super.step(round, verb);
                    if (swapped) Thread.yield();
                }
            };
        }
    }

    // ---- atomicity

    private static void atomicity(List<Defect> all) {
        all.add(steps(
                "CAS not atomic",
                "reads, compares, writes",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.CAS) return false;
                    long found = lane.read(verb, verb.offset());
                    Thread.yield();
                    if (found == verb.operand()) lane.write(verb, verb.offset(), verb.desired());
                    lane.answer(verb, found);
                    verb.done();
                    return true;
                },
                "compareAndSwapExcludes",
                "atomicsOfEveryKindAddUp"));
        all.add(steps(
                "FAA not atomic",
                "reads, adds, writes",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.FAA) return false;
                    long found = lane.read(verb, verb.offset());
                    Thread.yield();
                    lane.write(verb, verb.offset(), found + verb.operand());
                    lane.answer(verb, found);
                    verb.done();
                    return true;
                },
                "fetchAndAddsOfManyAddUp"));
        all.add(steps(
                "masked CAS not atomic",
                "atomic towards itself, but not towards other atomics: it writes the whole word back",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.MASKED_CAS) return false;
                    synchronized (Defects.class) {
                        long found = lane.read(verb, verb.offset());
                        Thread.yield();
                        if (((found ^ verb.operand()) & verb.compareMask()) == 0)
                            lane.write(
                                    verb, verb.offset(), found & ~verb.swapMask() | verb.desired() & verb.swapMask());
                        lane.answer(verb, found);
                    }
                    verb.done();
                    return true;
                },
                "atomicsOfEveryKindAddUp"));
        all.add(steps(
                "masked FAA lets carries pass",
                "a field that overflows adds one to its neighbour",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.MASKED_FAA) return false;
                    lane.own()
                            .fetchAndAdd(
                                    lane.innerRegion(verb),
                                    verb.offset(),
                                    verb.operand(),
                                    verb.local(),
                                    verb.localOffset())
                            .post()
                            .await();
                    verb.done();
                    return true;
                },
                "maskedFetchAndAddKeepsCarriesInTheirField"));
        all.add(steps(
                "CAS that misses still writes",
                "puts the word whatever it finds",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.CAS) return false;
                    lane.answer(verb, lane.read(verb, verb.offset()));
                    lane.write(verb, verb.offset(), verb.desired());
                    verb.done();
                    return true;
                },
                "compareAndSwapThatMissesChangesNothing"));
        all.add(steps(
                "READ tears words",
                "moves the halves of a word one after the other",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.READ) return false;
                    if (!isGood(verb)) return false;
                    for (long i = 0; i < verb.length(); i += Words.BYTES) {
                        long upper = lane.read(verb, verb.offset() + i);
                        Thread.yield();
                        long lower = lane.read(verb, verb.offset() + i);
                        Words.plain(verb.local(), verb.localOffset() + i, upper >>> 32 << 32 | lower & 0xffff_ffffL);
                    }
                    verb.done();
                    return true;
                },
                "wordsNeverTear"));
        all.add(steps(
                "WRITE tears words",
                "writes the halves of a word one after the other",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.WRITE || verb.local() == null || !isGood(verb)) return false;
                    for (long i = 0; i < verb.length(); i += Words.BYTES) {
                        long now = Words.plain(verb.local(), verb.localOffset() + i);
                        long old = lane.read(verb, verb.offset() + i);
                        lane.write(verb, verb.offset() + i, now >>> 32 << 32 | old & 0xffff_ffffL);
                        Thread.yield();
                        lane.write(verb, verb.offset() + i, now);
                    }
                    verb.done();
                    return true;
                },
                "wordsNeverTear"));
        all.add(onMem(
                "completion before effect",
                "acknowledges a WRITE and carries it out two rounds later",
                Late::new,
                "acknowledgedVerbIsSeenByEverybody",
                "acknowledgedMeansApplied"));
        all.add(onMem(
                "READs from a cache",
                "answers a READ with what the lane read there before",
                Caching::new,
                "acknowledgedVerbIsSeenByEverybody",
                "readsNeverGoBack"));
    }

    private static boolean isGood(Verb verb) {
        return verb.offset() >= 0
                && verb.length() > 0
                && ((verb.offset() | verb.length()) & 7) == 0
                && verb.offset() <= verb.region().bytes() - verb.length();
    }

    /** WRITEs wait until the lane posts for the second time after them. */
    private static final class Late extends StepFabric {
        Late(Fabric inner) {
            super(inner);
        }

        @Override
        protected FilterLane newLane(FilterSession session, Lane lane) {
            return new StepLane(session, lane) {
                private List<Runnable> late = new ArrayList<>();
                private List<Runnable> later = new ArrayList<>();

                @Override
                protected void post(Round round) {
                    late.forEach(Runnable::run);
                    late = later;
                    later = new ArrayList<>();
                    super.post(round);
                }

                @Override
                protected void step(Round round, Verb verb) {
                    if (verb.kind() != VerbKind.WRITE || verb.local() != null) {
                        super.step(round, verb);
                        return;
                    }
                    Region region = innerRegion(verb);
                    long offset = verb.offset();
                    long word = verb.operand();
                    later.add(() -> own().write(region, offset, word).post().await());
                    verb.done();
                }
            };
        }
    }

    /** Remembers words it has read, and forgets them now and then. */
    private static final class Caching extends StepFabric {
        Caching(Fabric inner) {
            super(inner);
        }

        @Override
        protected FilterLane newLane(FilterSession session, Lane lane) {
            return new StepLane(session, lane) {
                private final Map<Long, Long> seen = new HashMap<>();
                private int reads;

                @Override
                protected void step(Round round, Verb verb) {
                    boolean one = verb.kind() == VerbKind.READ && verb.length() == Words.BYTES;
                    if (verb.kind() != VerbKind.READ) seen.clear();
                    if (++reads % (3 + session().number() % 4) == 0) seen.clear();
                    long place = verb.offset() << 8 | verb.link().node();
                    if (one && seen.containsKey(place)) {
                        Words.plain(verb.local(), verb.localOffset(), seen.get(place));
                        verb.done();
                        return;
                    }
                    super.step(round, verb);
                    if (one && verb.refusal() == null) seen.put(place, Words.plain(verb.local(), verb.localOffset()));
                }
            };
        }
    }

    // ---- access

    private static void access(List<Defect> all) {
        all.add(steps(
                "bounds clamped",
                "pushes a range that is outside of its region back into it",
                (lane, verb) -> {
                    if (verb.region() == null
                            || verb.kind() == VerbKind.CHAIN
                            || verb.region().bytes() == 0) return false;
                    if ((verb.offset() & 7) != 0 || (verb.length() & 7) != 0 || verb.length() <= 0) return false;
                    long most = verb.region().bytes() - verb.length();
                    lane.step(verb, Math.max(0, Math.min(verb.offset(), most)), verb.length());
                    return verb.refusal() == null;
                },
                "refusedVerbChangesNothing"));
        all.add(refusals(
                "bounds not checked",
                "drops what is outside of its region and says that it was done",
                Refusal.BOUNDS,
                (lane, verb) -> verb.done(),
                "refusedVerbChangesNothing"));
        all.add(steps(
                "alignment not checked",
                "rounds offset and length down to whole words",
                (lane, verb) -> {
                    if (verb.region() == null || ((verb.offset() | verb.length()) & 7) == 0) return false;
                    lane.step(verb, verb.offset() & ~7L, Math.max(8, verb.length() & ~7L));
                    return true;
                },
                "refusedVerbChangesNothing"));
        all.add(onMem(
                "every handle is good",
                "a guessed handle opens the first region",
                f -> new FilterFabric(f) {
                    @Override
                    protected FilterLink newLink(FilterLane lane, Link link) {
                        return new FilterLink(lane, link) {
                            @Override
                            public Region byHandle(int handle) {
                                return new FilterRegion(this, inner.byHandle(0), null);
                            }
                        };
                    }
                },
                "guessedHandlesOpenNothing",
                "handleOfAnotherLinkOpensNothing"));
        all.add(control(
                "freed region served",
                "says that a region is freed and goes on serving it",
                (real, method, arguments) -> method.equals("freeRegion") ? Answer.NOTHING : null,
                "freedRegionIsRefused"));
        all.add(onMem(
                "half a capability opens",
                "compares 64 of 128 bits",
                HalfCapability::new,
                "wrongCapabilityOpensNothing"));
    }

    /** Finds the region by the upper half. */
    private static final class HalfCapability extends FilterFabric {
        HalfCapability(Fabric inner) {
            super(inner);
        }

        @Override
        protected FilterLink newLink(FilterLane lane, Link link) {
            return new FilterLink(lane, link) {
                @Override
                public Region open(Id128 capability) {
                    for (Id128 known : control(node()).regions())
                        if (known != null && known.high() == capability.high()) return super.open(known);
                    return super.open(capability);
                }
            };
        }
    }

    // ---- failures

    private static void failures(List<Defect> all) {
        all.add(refusals(
                "refused WRITE done in part",
                "refuses a WRITE over the end of its region after writing what fits",
                Refusal.BOUNDS,
                (lane, verb) -> {
                    long room = verb.region().bytes() - verb.offset();
                    if (verb.kind() != VerbKind.WRITE || verb.offset() < 0 || room <= 0 || verb.length() <= room)
                        return;
                    lane.throughTheBackdoor(verb, verb.offset(), room);
                },
                "refusedVerbChangesNothing"));
        all.add(steps(
                "verbs behind a refusal carried out",
                "goes on on a broken link, but says that it does not",
                (lane, verb) -> {
                    lane.step(verb, verb.offset(), verb.length());
                    if (verb.effect() == Effect.NOT_DONE && verb.refusal() == null && verb.region() != null)
                        lane.throughTheBackdoor(verb, verb.offset(), verb.length());
                    return true;
                },
                "refusalStopsItsLinkAndNoOther",
                "brokenLinkCarriesNothingUntilReconnected"));
        all.add(reports(
                "NOT_DONE guessed",
                "says of all verbs of a failed round that they were not done",
                round -> {
                    for (int i = 0; i < round.count(); i++)
                        if (round.verb(i).effect() == Effect.DONE) round.verb(i).failed(Effect.NOT_DONE, null);
                },
                "refusalStopsItsLinkAndNoOther"));
        all.add(reports(
                "DONE guessed",
                "says of verbs behind a refused one that they were done",
                round -> {
                    for (int i = 0; i < round.count(); i++)
                        if (round.verb(i).refusal() == null) round.verb(i).done();
                },
                "refusalStopsItsLinkAndNoOther"));
        all.add(reports(
                "always UNKNOWN",
                "never says what became of a verb",
                round -> {
                    for (int i = 0; i < round.count(); i++)
                        round.verb(i).failed(Effect.UNKNOWN, round.verb(i).refusal());
                },
                "refusedVerbChangesNothing"));
        all.add(onMem(
                "link heals by itself",
                "connects again after a refusal, so that verbs posted later are carried out",
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @Override
                            protected void report(Round round) {
                                super.report(round);
                                for (int i = 0; i < round.count(); i++)
                                    if (round.verb(i).refusal() == Refusal.BOUNDS)
                                        ((FilterLink) round.verb(i).link()).inner.reconnect();
                            }
                        };
                    }
                },
                "refusedVerbChangesNothing"));
        all.add(onMem(
                "failures in the background swallowed",
                "lets settle return as if nothing had happened",
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @Override
                            protected void report(Round round) {
                                if (!round.isBackground()) super.report(round);
                            }
                        };
                    }
                },
                "refusalInTheBackgroundIsToldBySettle"));
    }

    // ---- sessions

    private static void sessions(List<Defect> all) {
        all.add(refusals(
                "revocation ignored",
                "serves whoever was revoked or has an old epoch",
                Refusal.EPOCH,
                (lane, verb) -> {
                    lane.throughTheBackdoor(verb, verb.offset(), verb.length());
                    verb.done();
                },
                "revokedSessionIsRefused",
                "raisedEpochRefusesLinksUntilTheyReconnect"));
        all.add(control(
                "revocation not awaited",
                "revoke returns at once, and the session is stopped a little later",
                (real, method, arguments) -> {
                    if (!method.equals("revoke")) return null;
                    Thread.ofPlatform().daemon().start(() -> {
                        sleep();
                        real.revoke((int) arguments[0]);
                    });
                    return Answer.NOTHING;
                },
                "nothingLandsAfterRevocation"));
        all.add(control(
                "epoch moves back",
                "believes an old announcement",
                (real, method, arguments) -> {
                    if (!method.equals("epoch")) return null;
                    return new Answer(Math.min(real.epoch(), 6));
                },
                "epochNeverMovesBack"));
        all.add(control(
                "epoch ignored",
                "acknowledges a new epoch without telling its links",
                (real, method, arguments) -> method.equals("raiseEpoch") ? Answer.NOTHING : null,
                "raisedEpochRefusesLinksUntilTheyReconnect"));
        all.add(control(
                "revocation forgotten at once",
                "stops the session but does not remember it",
                (real, method, arguments) -> {
                    if (!method.equals("revoke")) return null;
                    real.revoke((int) arguments[0]);
                    real.forget((int) arguments[0]);
                    return Answer.NOTHING;
                },
                "revokedSessionIsRefused"));
        all.add(onMem(
                "session numbers used again",
                "counts to ten and begins anew",
                f -> new FilterFabric(f) {
                    @Override
                    public Session attach() {
                        Session session = inner.attach();
                        return new FilterSession(session, session.number() % 10 + 1);
                    }
                },
                "sessionNumbersAreNeverUsedAgain"));
    }

    private static void sleep() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- answers

    private static void answers(List<Defect> all) {
        all.add(onMem(
                "background dropped",
                "never carries out what nobody awaits",
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @Override
                            protected void step(Round round, Verb verb) {
                                if (round.isBackground()) verb.done();
                                else super.step(round, verb);
                            }
                        };
                    }
                },
                "backgroundRoundHasTakenEffectOnceSettled"));
        all.add(steps(
                "landing overrun",
                "a READ brings a line more than was asked for",
                (lane, verb) -> {
                    long longer = verb.length() + 64;
                    if (verb.kind() != VerbKind.READ || !isGood(verb)) return false;
                    MemorySegment local = verb.local();
                    if (verb.offset() + longer > verb.region().bytes()
                            || verb.localOffset() + longer > local.byteSize()) return false;
                    lane.step(verb, verb.offset(), longer);
                    return true;
                },
                "writtenBytesAreReadAgain",
                "everyLengthArrives"));
        all.add(steps(
                "last word forgotten",
                "a WRITE of more than four lines loses its last word",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.WRITE || verb.length() <= 256 || !isGood(verb)) return false;
                    lane.step(verb, verb.offset(), verb.length() - 8);
                    return true;
                },
                "everyLengthArrives",
                "largeTransfersArriveWhole"));
        all.add(onMem(
                "isComplete lies",
                "is never complete",
                f -> new FilterFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new FilterLane(session, lane) {
                            @Override
                            protected boolean isComplete(Round round) {
                                return false;
                            }
                        };
                    }
                },
                "completeRoundsSaySo"));
        all.add(control(
                "extents overlap",
                "hands out the same memory twice",
                (real, method, arguments) -> {
                    if (!method.equals("allocate")) return null;
                    Object given = real.allocate((Id128) arguments[0], (long) arguments[1], (int) arguments[2]);
                    real.free((Id128) arguments[0], (tidepool.memory.Extent) given);
                    return new Answer(given);
                },
                "extentsAreApartAndZero",
                "allocationsAtOnceAreApart"));
    }

    // ---- counting

    private static void counting(List<Defect> all) {
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

    // ---- where verbs take time

    private static void inTime(List<Defect> all) {
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
                    public Orders orders() {
                        return Orders.PROGRAM;
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
                "acknowledgedVerbIsSeenByEverybody"));
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
                "says of every verb behind a refused one that it was not done",
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

    // ---- the forms that most defects have

    /** Carries out a verb in its own way; false to have it carried out properly. */
    private interface Step {
        boolean take(StepFabric.StepLane lane, Verb verb);
    }

    private static Defect steps(String name, String what, Step step, String... caughtBy) {
        return onMem(
                name,
                what,
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @Override
                            protected void step(Round round, Verb verb) {
                                try {
                                    if (step.take(this, verb)) return;
                                } catch (FabricException e) {
                                    // The proper way fails too, and says why.
                                }
                                super.step(round, verb);
                            }
                        };
                    }
                },
                caughtBy);
    }

    /** What is done beside a refusal. */
    private interface Aftermath {
        void of(StepFabric.StepLane lane, Verb verb);
    }

    private static Defect refusals(String name, String what, Refusal refusal, Aftermath aftermath, String... caughtBy) {
        return onMem(
                name,
                what,
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @Override
                            protected void step(Round round, Verb verb) {
                                super.step(round, verb);
                                if (verb.refusal() != refusal) return;
                                aftermath.of(this, verb);
                                if (verb.effect() == Effect.DONE) verb.failed(Effect.DONE, null);
                            }
                        };
                    }
                },
                caughtBy);
    }

    /** What is said of the verbs of a failed round. */
    private interface Report {
        void change(Round round);
    }

    private static Defect reports(String name, String what, Report report, String... caughtBy) {
        return onMem(
                name,
                what,
                f -> new StepFabric(f) {
                    @Override
                    protected FilterLane newLane(FilterSession session, Lane lane) {
                        return new StepLane(session, lane) {
                            @Override
                            protected void report(Round round) {
                                super.report(round);
                                boolean failed = false;
                                for (int i = 0; i < round.count(); i++)
                                    failed |= round.verb(i).effect() != Effect.DONE;
                                if (failed) report.change(round);
                            }
                        };
                    }
                },
                caughtBy);
    }

    /** What a broken control call answers. */
    private record Answer(Object value) {
        static final Answer NOTHING = new Answer(null);
    }

    /** Answers a control call in its own way; null to have it answered properly. */
    private interface Call {
        Answer answer(NodeControl real, String method, Object[] arguments);
    }

    private static Defect control(String name, String what, Call call, String... caughtBy) {
        return onMem(
                name,
                what,
                f -> new FilterFabric(f) {
                    @Override
                    public NodeControl control(int node) {
                        NodeControl real = super.control(node);
                        return (NodeControl) Proxy.newProxyInstance(
                                Defects.class.getClassLoader(),
                                new Class<?>[] {NodeControl.class},
                                (proxy, method, arguments) -> {
                                    Answer answer = call.answer(real, method.getName(), arguments);
                                    if (answer != null) return answer.value();
                                    try {
                                        return method.invoke(real, arguments);
                                    } catch (InvocationTargetException e) {
                                        throw e.getCause();
                                    }
                                });
                    }
                },
                caughtBy);
    }
}
