package tidepool.evidence.litmus;

import tidepool.evidence.faults.QuietPool;
import tidepool.protocol.motor.Motor;

/** Litmus tests of Motor, serializable. */
class MotorLitmusTest extends LitmusSuite {
    MotorLitmusTest() {
        super(Motor.class, QuietPool::check);
    }
}
