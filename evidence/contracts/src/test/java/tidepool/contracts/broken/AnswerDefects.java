package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onMem;
import static tidepool.contracts.broken.Planting.answering;
import static tidepool.contracts.broken.Planting.control;
import static tidepool.contracts.broken.Planting.isGood;
import static tidepool.contracts.broken.Planting.refusals;
import static tidepool.contracts.broken.Planting.steps;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.contracts.broken.Planting.Answer;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;
import tidepool.memory.ChainedWorkLayout;
import tidepool.memory.Extent;

/** Answers that are missing, too long, or meant for another round. */
final class AnswerDefects {
    private AnswerDefects() {}

    static void answers(List<Defect> all) {
        all.add(onMem(
                "background dropped",
                "never carries out a round that is not awaited",
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
                    real.free((Id128) arguments[0], (Extent) given);
                    return new Answer(given);
                },
                "extentsAreApartAndZero",
                "allocationsAtOnceAreApart"));
    }

    static void rarities(List<Defect> all) {
        all.add(steps(
                "CALL not answered",
                "runs the handler and loses its answer",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.CALL) return false;
                    verb.done();
                    return true;
                },
                "callIsAnswered"));
        all.add(steps(
                "answer overruns its place",
                "lands the whole answer of a CALL, whatever room it was given",
                (lane, verb) -> {
                    long whole = Math.max(verb.length(), verb.replyLength());
                    if (verb.kind() != VerbKind.CALL
                            || verb.replyOffset() + whole > verb.reply().byteSize()) return false;
                    Link link = ((FilterFabric.FilterLink) verb.link()).inner;
                    lane.own()
                            .call(
                                    link,
                                    (int) verb.operand(),
                                    verb.local(),
                                    verb.localOffset(),
                                    verb.length(),
                                    verb.reply(),
                                    verb.replyOffset(),
                                    whole)
                            .post()
                            .await();
                    verb.done();
                    return true;
                },
                "answerThatDoesNotFitIsCut"));
        all.add(refusals(
                "unknown handler does nothing",
                "answers a CALL that no handler takes",
                Refusal.HANDLER,
                (lane, verb) -> verb.done(),
                "unknownHandlerIsRefused",
                "handlersOffLeavesOneSidedVerbsWhole"));
        all.add(steps(
                "atomic without a place dropped",
                "does not send an atomic whose answer is not wanted",
                (lane, verb) -> {
                    if (!FilterFabric.Verbs.isAtomic(verb.kind()) || verb.local() != null) return false;
                    verb.done();
                    return true;
                },
                "atomicsWithoutALandingPlaceTakeEffect"));
        all.add(steps(
                "guard ignored",
                "chained work goes on whatever its guard finds",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.CHAIN) return false;
                    long steps = lane.read(verb, verb.offset()) & 0xffff;
                    for (int i = 0; i < steps; i++) {
                        long at = verb.offset() + ChainedWorkLayout.bytes(i);
                        if ((lane.read(verb, at) & 0xffff) != ChainedWorkLayout.GUARD) continue;
                        lane.write(
                                verb,
                                at + ChainedWorkLayout.FIRST,
                                lane.read(verb, lane.read(verb, at + ChainedWorkLayout.OFFSET)));
                    }
                    return false;
                },
                "chainStopsAtItsGuard"));
        all.add(steps(
                "FLUSH not done",
                "says that there is nothing to make persistent here",
                (lane, verb) -> {
                    if (verb.kind() != VerbKind.FLUSH) return false;
                    verb.failed(Effect.NOT_DONE, null);
                    return true;
                },
                "flushAnswers"));
        all.add(onMem("new region dirty", "hands out memory as the last owner left it", Dirty::new, "newRegionIsZero"));
        all.add(control(
                "regions run out silently",
                "gives out an old region when a node has fifty",
                (real, method, arguments) -> {
                    Id128[] known = real.regions();
                    return method.equals("createRegion") && known.length > 50 ? new Answer(known[1]) : null;
                },
                "hundredRegionsAreApart"));
        all.add(control(
                "region of no bytes",
                "makes a region of eight bytes when asked for none",
                (real, method, arguments) -> {
                    boolean nothing = method.equals("createRegion") && (long) arguments[0] <= 0;
                    return nothing ? new Answer(real.createRegion(Words.BYTES)) : null;
                },
                "nonsensicalRegionsAreRefused"));
        all.add(onMem(
                "opening is a verb",
                "asks in a round whether the region is there",
                f -> new FilterFabric(f) {
                    @Override
                    protected FilterLink newLink(FilterLane lane, Link link) {
                        return new FilterLink(lane, link) {
                            @Override
                            public Region open(Id128 capability) {
                                Region region = super.open(capability);
                                lane.round(1).flush(this).post().await();
                                return region;
                            }
                        };
                    }
                },
                "controlCallsAreNotCounted"));
    }

    /** Writes into every new region before its owner does. */
    private static final class Dirty extends FilterFabric {
        Dirty(Fabric inner) {
            super(inner);
        }

        @Override
        public NodeControl control(int node) {
            NodeControl real = super.control(node);
            return answering(real, (same, method, arguments) -> {
                if (!method.equals("createRegion")) return null;
                Id128 capability = real.createRegion((long) arguments[0]);
                try (Session session = inner.attach()) {
                    Lane lane = session.lane();
                    Region region = lane.connect(node).open(capability);
                    lane.round(1).write(region, region.bytes() / 2, -1).post().await();
                }
                return new Answer(capability);
            });
        }
    }
}
