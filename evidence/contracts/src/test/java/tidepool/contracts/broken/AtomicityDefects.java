package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onMem;
import static tidepool.contracts.broken.Planting.isGood;
import static tidepool.contracts.broken.Planting.steps;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;

/** Defects by which one verb takes effect in pieces, or only after its acknowledgement. */
final class AtomicityDefects {
    private AtomicityDefects() {}

    static void atomicity(List<Defect> all) {
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
                    synchronized (AtomicityDefects.class) {
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
                "acknowledgedVerbIsVisibleToAllSessions",
                "acknowledgedMeansApplied"));
        all.add(onMem(
                "READs from a cache",
                "answers a READ with what the lane read there before",
                Caching::new,
                "acknowledgedVerbIsVisibleToAllSessions",
                "readsNeverGoBack"));
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
}
