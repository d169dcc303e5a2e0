package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onMem;
import static tidepool.contracts.broken.Planting.refusals;
import static tidepool.contracts.broken.Planting.reports;
import static tidepool.contracts.broken.Planting.steps;

import java.util.List;
import tidepool.fabric.Effect;
import tidepool.fabric.Lane;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.VerbKind;

/** Failures that do more than they say, or say what is not so. */
final class FailureDefects {
    private FailureDefects() {}

    static void failures(List<Defect> all) {
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
                "verbs after a refusal carried out",
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
                "says of verbs after a refused one that they were done",
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
}
