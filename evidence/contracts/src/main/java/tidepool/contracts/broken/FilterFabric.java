package tidepool.contracts.broken;

import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.NodeControl;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;

/**
 * A fabric around another one. As it stands it changes nothing and passes the contract; subclasses override one thing
 * and break it.
 */
public class FilterFabric extends Fabric {
    protected final Fabric inner;

    public FilterFabric(Fabric inner) {
        this.inner = inner;
    }

    @Override
    public String name() {
        return inner.name() + "!";
    }

    @Override
    public int nodes() {
        return inner.nodes();
    }

    @Override
    public OrderTable orders() {
        return inner.orders();
    }

    @Override
    public int atomicBytes() {
        return inner.atomicBytes();
    }

    @Override
    public boolean persistsInOrder() {
        return inner.persistsInOrder();
    }

    @Override
    public Session attach() {
        Session session = inner.attach();
        return new FilterSession(session, session.number());
    }

    @Override
    public NodeControl control(int node) {
        return inner.control(node);
    }

    @Override
    public boolean isDead(int session) {
        return inner.isDead(session);
    }

    @Override
    public void close() {
        inner.close();
    }

    /** The override that most defects need: another lane. */
    protected FilterLane newLane(FilterSession session, Lane lane) {
        return new FilterLane(session, lane);
    }

    /** And another link. */
    protected FilterLink newLink(FilterLane lane, Link link) {
        return new FilterLink(lane, link);
    }

    /** A session of the wrapped fabric. */
    public class FilterSession extends Session {
        final Session inner;

        protected FilterSession(Session inner, int number) {
            super(FilterFabric.this, number);
            this.inner = inner;
        }

        @Override
        protected Lane newLane() {
            return FilterFabric.this.newLane(this, inner.lane());
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    /** Carries each round by a round of the wrapped lane. */
    public class FilterLane extends Lane {
        protected final Lane inner;

        protected FilterLane(FilterSession session, Lane inner) {
            super(session);
            this.inner = inner;
        }

        @Override
        protected Link newLink(int node) {
            return FilterFabric.this.newLink(this, inner.connect(node));
        }

        @Override
        protected void post(Round round) {
            Round carrier = load(round);
            if (round.isBackground()) carrier.postInBackground();
            else carrier.post();
        }

        @Override
        protected void post(Round first, Round next) {
            load(first).postInBackground(load(next));
        }

        private Round load(Round round) {
            Round carrier = carrierFor(round);
            for (int i = 0; i < round.count(); i++) add(round.verb(i), carrier);
            if (round.deadlineNanos() > 0) carrier.deadline(round.deadlineNanos());
            return carrier;
        }

        @Override
        protected void await(Round round) {
            Round carrier = ((Carrier) round.attachment()).round;
            try {
                if (round.isBackground()) carrier.settle();
                else carrier.await();
                for (int i = 0; i < round.count(); i++) round.verb(i).done();
            } catch (FabricException e) {
                report(round, carrier, e);
            }
        }

        /** Says of each verb what the wrapped fabric said. */
        protected void report(Round round, Round carrier, FabricException e) {
            for (int i = 0; i < round.count(); i++)
                round.verb(i).failed(carrier.verb(i).effect(), carrier.verb(i).refusal());
            round.fail(e.reason(), "wrapped round failed");
        }

        @Override
        protected boolean isComplete(Round round) {
            return ((Carrier) round.attachment()).round.isComplete();
        }

        @Override
        public void close() {
            inner.close();
        }

        /** The override for defects of single verbs: what is sent instead. */
        protected void add(Verb verb, Round carrier) {
            addAs(verb, carrier, verb.offset(), verb.length());
        }

        protected final void addAs(Verb verb, Round carrier, long offset, long length) {
            if (verb.fenced()) carrier.fence(((FilterLink) verb.link()).inner);
            Region region = verb.region() == null ? null : ((FilterRegion) verb.region()).inner;
            Verbs.add(verb, carrier, ((FilterLink) verb.link()).inner, region, offset, length);
        }

        /** The round of the wrapped lane that carries this one. */
        protected final Round carrierFor(Round round) {
            Carrier carrier = (Carrier) round.attachment();
            if (carrier == null || carrier.capacity < round.count()) {
                carrier = new Carrier(inner.round(2 * round.count()), 2 * round.count());
                round.attach(carrier);
            }
            return carrier.round;
        }
    }

    /** The round that carries another one; rounds do not tell their capacity. */
    private record Carrier(Round round, int capacity) {}

    /** A link of the wrapped lane. */
    public static class FilterLink extends Link {
        final Link inner;

        protected FilterLink(FilterLane lane, Link inner) {
            this(lane, inner, inner.node());
        }

        protected FilterLink(FilterLane lane, Link inner, int node) {
            super(lane, node);
            this.inner = inner;
        }

        /** The link of the wrapped fabric. */
        public final Link inner() {
            return inner;
        }

        @Override
        public Region open(Id128 capability) {
            return new FilterRegion(this, inner.open(capability), capability);
        }

        @Override
        public Region byHandle(int handle) {
            return new FilterRegion(this, inner.byHandle(handle), null);
        }

        @Override
        public boolean isBroken() {
            return inner.isBroken();
        }

        @Override
        public void reconnect() {
            inner.reconnect();
        }
    }

    /** A region of the wrapped link. */
    public static class FilterRegion extends Region {
        final Region inner;
        final Id128 capability;

        FilterRegion(Link link, Region inner, Id128 capability) {
            super(link, inner.handle());
            this.inner = inner;
            this.capability = capability;
        }

        @Override
        public int number() {
            return inner.number();
        }

        @Override
        public long bytes() {
            return inner.bytes();
        }
    }

    /** Builds a verb of one fabric as a verb of another. */
    static final class Verbs {
        private Verbs() {}

        static void add(Verb v, Round to, Link link, Region region, long offset, long length) {
            switch (v.kind()) {
                case READ -> to.read(region, offset, length, v.local(), v.localOffset());
                case WRITE -> {
                    if (v.local() == null) to.write(region, offset, v.operand());
                    else to.write(region, offset, length, v.local(), v.localOffset());
                }
                case CAS -> to.compareAndSwap(region, offset, v.operand(), v.desired(), v.local(), v.localOffset());
                case FAA -> to.fetchAndAdd(region, offset, v.operand(), v.local(), v.localOffset());
                case MASKED_CAS ->
                    to.maskedCompareAndSwap(
                            region,
                            offset,
                            v.operand(),
                            v.compareMask(),
                            v.desired(),
                            v.swapMask(),
                            v.local(),
                            v.localOffset());
                case MASKED_FAA ->
                    to.maskedFetchAndAdd(region, offset, v.operand(), v.compareMask(), v.local(), v.localOffset());
                case FLUSH -> to.flush(link);
                case CALL ->
                    to.call(
                            link,
                            (int) v.operand(),
                            v.local(),
                            v.localOffset(),
                            v.length(),
                            v.reply(),
                            v.replyOffset(),
                            v.replyLength());
                case CHAIN -> to.chain(region, offset);
            }
        }

        static boolean isAtomic(VerbKind kind) {
            return switch (kind) {
                case CAS, FAA, MASKED_CAS, MASKED_FAA -> true;
                case READ, WRITE, FLUSH, CALL, CHAIN -> false;
            };
        }
    }
}
