package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onMem;
import static tidepool.contracts.broken.Planting.control;
import static tidepool.contracts.broken.Planting.refusals;
import static tidepool.contracts.broken.Planting.steps;

import java.util.List;
import tidepool.base.Id128;
import tidepool.contracts.broken.Planting.Answer;
import tidepool.fabric.Fabric;
import tidepool.fabric.Link;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.VerbKind;

/** Memory that is reached by those who may not. */
final class AccessDefects {
    private AccessDefects() {}

    static void access(List<Defect> all) {
        all.add(steps(
                "bounds clamped",
                "pushes a range that is outside of its region back into it",
                (lane, verb) -> {
                    if (verb.region() == null
                            || verb.kind() == VerbKind.CHAIN
                            || verb.region().bytes() == 0) return false;
                    if ((verb.offset() & 7) != 0 || (verb.length() & 7) != 0 || verb.length() <= 0) return false;
                    long max = verb.region().bytes() - verb.length();
                    lane.step(verb, Math.max(0, Math.min(verb.offset(), max)), verb.length());
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
}
