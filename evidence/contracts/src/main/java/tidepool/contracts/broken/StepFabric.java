package tidepool.contracts.broken;

import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.Verb;

/**
 * A filter that carries out verbs one after the other, so that a defect can come between them. Only for fabrics whose
 * verbs take no time. As it stands it passes the contract.
 */
public class StepFabric extends FilterFabric {
    public StepFabric(Fabric inner) {
        super(inner);
    }

    @Override
    protected FilterLane newLane(FilterSession session, Lane lane) {
        return new StepLane(session, lane);
    }

    /** One verb at a time. */
    public class StepLane extends FilterLane {
        private final Round single;
        private final Round own;
        private Lane backdoor;

        protected StepLane(FilterSession session, Lane inner) {
            super(session, inner);
            this.single = inner.round(1);
            this.own = inner.round(1);
        }

        @Override
        protected void post(Round round) {
            int[] order = order(round);
            for (int i = 0; i < round.count(); i++) step(round, round.verb(order == null ? i : order[i]));
            report(round);
        }

        @Override
        protected void post(Round first, Round next) {
            post(first);
            if (first.hasFailed()) next.neverSent(first);
            else post(next);
        }

        /** The order in which the verbs are carried out; null for the order of posting. */
        protected int[] order(Round round) {
            return null;
        }

        /** Carries out one verb and says what became of it. */
        protected void step(Round round, Verb verb) {
            step(verb, verb.offset(), verb.length());
        }

        protected final void step(Verb verb, long offset, long length) {
            try {
                addAs(verb, single, offset, length);
                single.post().await();
                verb.done();
            } catch (FabricException e) {
                verb.failed(single.verb(0).effect(), single.verb(0).refusal());
                if (e.reason() == Reason.CLOSED) closed = true;
            }
        }

        private boolean closed;

        /** Tells the round about the verbs that failed. */
        protected void report(Round round) {
            boolean failed = false;
            Verb refused = null;
            for (int i = 0; i < round.count(); i++) {
                failed |= round.verb(i).effect() != Effect.DONE;
                if (round.verb(i).refusal() != null) refused = round.verb(i);
            }
            if (!failed && refused == null) return;
            round.fail(
                    refused != null ? Reason.REFUSED : closed ? Reason.CLOSED : Reason.DISCONNECTED, "a step failed");
        }

        @Override
        protected void await(Round round) {}

        @Override
        protected boolean isComplete(Round round) {
            return true;
        }

        // ---- tools for defects

        /** A round of one verb on the wrapped lane, for the additional verbs of the defect. */
        protected final Round own() {
            return own;
        }

        protected final Region innerRegion(Verb verb) {
            return ((FilterRegion) verb.region()).inner;
        }

        protected final long read(Verb verb, long offset) {
            var landing = inner.landing(Words.BYTES);
            own.read(innerRegion(verb), offset, Words.BYTES, landing, 0).post().await();
            return Words.plain(landing, 0);
        }

        protected final void write(Verb verb, long offset, long word) {
            own.write(innerRegion(verb), offset, word).post().await();
        }

        protected final void answer(Verb verb, long word) {
            if (verb.local() != null) Words.plain(verb.local(), verb.localOffset(), word);
        }

        /** Carries a verb past all checks of the session: by a session of its own, which is not revoked. */
        protected final void throughTheBackdoor(Verb verb, long offset, long length) {
            if (backdoor == null) {
                Session own = StepFabric.this.inner.attach();
                backdoor = own.lane();
            }
            FilterRegion region = (FilterRegion) verb.region();
            Link link = backdoor.connect(verb.link().node());
            Region opened = region == null ? null : link.open(region.capability);
            Round carrier = backdoor.round(1);
            Verbs.add(verb, carrier, link, opened, offset, length);
            carrier.post().await();
        }
    }
}
