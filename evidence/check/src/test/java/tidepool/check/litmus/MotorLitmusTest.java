package tidepool.check.litmus;

import tidepool.check.cluster.QuietPool;
import tidepool.protocol.motor.Motor;

/** Litmus tests of Motor, serializable. */
class MotorLitmusTest extends LitmusSuite {
    MotorLitmusTest() {
        super(Motor.class, QuietPool::check);
    }
}
