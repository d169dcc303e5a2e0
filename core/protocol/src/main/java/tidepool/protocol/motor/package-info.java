/**
 * Motor: multi-version transactions, serializable or with snapshot isolation. {@code docs/internals/protocols/motor.md}
 * has its phases, crash table and differences from the paper. {@code docs/decisions/0012-motor.md} has what others may
 * rely on.
 */
package tidepool.protocol.motor;
