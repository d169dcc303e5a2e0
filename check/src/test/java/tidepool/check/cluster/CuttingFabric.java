package tidepool.check.cluster;

import java.util.ArrayList;
import java.util.List;
import tidepool.check.broken.StepFabric;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;

/**
 * A fabric in which something happens at one verb of a session: it is revoked, or others come in between. Rounds in
 * the background can be held back until their coordinator waits for them, or for ever.
 */
final class CuttingFabric extends StepFabric {
    private final List<Round> held = new ArrayList<>();
    private boolean holdsBack;
    private int session;
    private long left;
    private boolean alsoNext;
    private Runnable event;

    CuttingFabric(Fabric inner) {
        super(inner);
    }

    /**
     * Revokes a session at one of its verbs.
     *
     * @param verb so many verbs of the session are carried out and answered
     * @param withNext whether the next verb is carried out, too, and only its answer is lost
     */
    void cutAt(int ofSession, long verb, boolean withNext) {
        beforeVerb(ofSession, verb, () -> {
            for (int node = 0; node < nodes(); node++) control(node).revoke(ofSession);
        });
        alsoNext = withNext;
    }

    /** Lets something happen after so many verbs of a session. */
    void beforeVerb(int ofSession, long verb, Runnable then) {
        session = ofSession;
        left = verb;
        alsoNext = false;
        event = then;
    }

    /** Returns whether it has happened; from here on it does not. */
    boolean disarm() {
        boolean happened = event == null;
        event = null;
        session = 0;
        return happened;
    }

    /**
     * From here on rounds in the background are sent only when their coordinator waits for them; or no longer held
     * back.
     */
    void holdBack(boolean holds) {
        holdsBack = holds;
        if (!holds) held.clear();
    }

    @Override
    protected FilterLane newLane(FilterSession of, Lane lane) {
        return new StepLane(of, lane) {
            @Override
            protected void post(Round round) {
                if (holdsBack && round.isBackground()) held.add(round);
                else super.post(round);
            }

            @Override
            protected void await(Round round) {
                if (held.remove(round)) super.post(round);
            }

            @Override
            protected void step(Round round, Verb verb) {
                if (of.number() != session || left-- > 0) {
                    super.step(round, verb);
                    return;
                }
                Runnable then = event;
                session = 0;
                event = null;
                if (alsoNext) super.step(round, verb);
                then.run();
                if (alsoNext) verb.failed(Effect.UNKNOWN, null);
                else super.step(round, verb);
            }
        };
    }
}
