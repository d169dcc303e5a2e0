package tidepool.evidence.litmus;

import java.util.ArrayList;
import java.util.List;
import tidepool.contracts.broken.FilterFabric;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.sim.SimFabric;

/**
 * A fabric with a {@link Gate} before every verb. A round without any stop is passed on whole. Otherwise it is cut
 * before the verb at which the part stops, and the verbs before it are in flight while the part waits.
 */
final class StageFabric extends FilterFabric {
    /** Longer than everything for which a coordinator waits, shorter than its deadline. */
    static final long FLY_NANOS = 300_000;

    private final Gate gate;

    StageFabric(Fabric inner, Gate gate) {
        super(inner);
        this.gate = gate;
    }

    @Override
    public void tidy() {
        inner.tidy();
    }

    @Override
    protected FilterLane newLane(FilterSession session, Lane lane) {
        return new StageLane(session, lane);
    }

    /** The rounds of the wrapped lane that carry one round, one for each piece. */
    private static final class Cuts {
        final List<Round> rounds = new ArrayList<>();
        final List<Integer> capacities = new ArrayList<>();
        final List<Integer> ends = new ArrayList<>();
    }

    private final class StageLane extends FilterLane {
        StageLane(FilterSession session, Lane inner) {
            super(session, inner);
        }

        @Override
        protected void post(Round round) {
            if (round.attachment() == null) round.attach(new Cuts());
            Cuts cuts = (Cuts) round.attachment();
            cuts.ends.clear();
            int from = 0;
            for (int i = 0; i < round.count(); i++) {
                boolean flies = gate.flies();
                if (gate.stops() || flies) {
                    carry(round, from, i);
                    from = i;
                    gate.stop();
                    if (flies) delay(round.verb(i));
                }
                gate.passed();
                if (gate.dies()) {
                    carry(round, from, i + 1);
                    gate.die();
                }
            }
            carry(round, from, round.count());
        }

        /**
         * Waits for the first round, where a fabric would continue. No verb overtakes it that could not overtake it
         * anyway.
         */
        @Override
        protected void post(Round first, Round next) {
            post(first);
            await(first);
            if (first.hasFailed()) next.neverSent(first);
            else post(next);
        }

        private void delay(Verb verb) {
            Link link = ((FilterLink) verb.link()).inner();
            if (StageFabric.this.inner instanceof SimFabric sim) sim.delayNext(link, FLY_NANOS);
            else throw new IllegalStateException("only a simulated verb can fly");
        }

        private void carry(Round round, int from, int to) {
            if (from == to) return;
            Cuts cuts = (Cuts) round.attachment();
            Round carrier = carrier(cuts, to - from);
            for (int i = from; i < to; i++) add(round.verb(i), carrier);
            if (round.deadlineNanos() > 0) carrier.deadline(round.deadlineNanos());
            cuts.ends.add(to);
            if (round.isBackground()) carrier.postInBackground();
            else carrier.post();
        }

        private Round carrier(Cuts cuts, int verbs) {
            int index = cuts.ends.size();
            if (index == cuts.rounds.size()) {
                cuts.rounds.add(inner.round(verbs));
                cuts.capacities.add(verbs);
            } else if (cuts.capacities.get(index) < verbs) {
                cuts.rounds.set(index, inner.round(verbs));
                cuts.capacities.set(index, verbs);
            }
            return cuts.rounds.get(index);
        }

        @Override
        protected void await(Round round) {
            Cuts cuts = (Cuts) round.attachment();
            FabricException failure = null;
            int from = 0;
            for (int i = 0; i < cuts.ends.size(); i++) {
                Round carrier = cuts.rounds.get(i);
                int to = cuts.ends.get(i);
                try {
                    if (round.isBackground()) carrier.settle();
                    else carrier.await();
                    for (int v = from; v < to; v++) round.verb(v).done();
                } catch (FabricException e) {
                    failure = e;
                    for (int v = from; v < to; v++)
                        round.verb(v)
                                .failed(
                                        carrier.verb(v - from).effect(),
                                        carrier.verb(v - from).refusal());
                }
                from = to;
            }
            if (failure != null) round.fail(failure.reason(), "a cut of the round failed");
        }

        @Override
        protected boolean isComplete(Round round) {
            Cuts cuts = (Cuts) round.attachment();
            for (int i = 0; i < cuts.ends.size(); i++) if (!cuts.rounds.get(i).isComplete()) return false;
            return true;
        }
    }
}
