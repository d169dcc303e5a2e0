package tidepool.evidence.faults;

import org.junit.jupiter.api.Tag;
import tidepool.protocol.Protocol;
import tidepool.protocol.motor.Motor;

/** Every verb of Motor, and of the recoverer that finishes or undoes it. */
@Tag("full")
class MotorCrashPointsTest extends CrashPointsTest {
    @Override
    Protocol protocol() {
        return new Motor();
    }

    @Override
    int seeds() {
        return 1;
    }

    @Override
    int logVerb() {
        return 6;
    }
}
