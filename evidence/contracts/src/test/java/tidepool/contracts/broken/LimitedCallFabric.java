package tidepool.contracts.broken;

import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;

/**
 * A filter with a limit on CALLs, as fabrics with frames have. A round with a longer CALL is rejected when it is
 * posted. As it stands it passes the contract.
 */
class LimitedCallFabric extends StepFabric {
    private static final long MAX_BYTES = 1 << 20;

    LimitedCallFabric(Fabric inner) {
        super(inner);
    }

    @Override
    protected FilterLane newLane(FilterSession session, Lane lane) {
        return new LimitedLane(session, lane);
    }

    /** A lane that finds the first CALL that is too long. */
    class LimitedLane extends StepLane {
        LimitedLane(FilterSession session, Lane inner) {
            super(session, inner);
        }

        @Override
        protected void check(Round round) {
            for (int i = 0; i < round.count(); i++) {
                Verb verb = round.verb(i);
                if (verb.kind() == VerbKind.CALL && Math.max(verb.length(), verb.replyLength()) > MAX_BYTES)
                    reject(round, i);
            }
        }

        /** Throws the exception for a round whose verb at {@code bad} is too long. Defects do something before. */
        protected void reject(Round round, int bad) {
            throw new IllegalArgumentException(
                    "a CALL is too long: length=" + round.verb(bad).length());
        }
    }
}
