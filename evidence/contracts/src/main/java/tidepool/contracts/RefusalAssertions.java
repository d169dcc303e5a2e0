package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import tidepool.fabric.FabricException;
import tidepool.fabric.Refusal;

/** Assertions about refusals and failures. */
final class RefusalAssertions {
    private RefusalAssertions() {}

    /** Asserts that the act is refused for this reason. */
    static FabricException by(Refusal refusal, Runnable act) {
        FabricException thrown = failing(FabricException.Reason.REFUSED, act);
        assertSame(refusal, thrown.refusal(), thrown.getMessage());
        return thrown;
    }

    /** Asserts that the act fails for this reason. */
    static FabricException failing(FabricException.Reason reason, Runnable act) {
        FabricException thrown = assertThrows(FabricException.class, act::run);
        assertSame(reason, thrown.reason(), thrown.getMessage());
        return thrown;
    }
}
