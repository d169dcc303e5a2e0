package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onMem;
import static tidepool.contracts.broken.Planting.control;
import static tidepool.contracts.broken.Planting.refusals;

import java.util.List;
import tidepool.contracts.broken.Planting.Answer;
import tidepool.fabric.FabricException;
import tidepool.fabric.Refusal;
import tidepool.fabric.Session;

/** Revocation and epochs that do not hold. */
final class SessionDefects {
    private SessionDefects() {}

    static void sessions(List<Defect> all) {
        all.add(refusals(
                "revocation ignored",
                "serves sessions that were revoked or have an old epoch",
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
                        try {
                            real.revoke((int) arguments[0]);
                        } catch (FabricException closed) {
                            // The test was faster.
                        }
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
}
