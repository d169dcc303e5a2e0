/** The contract of a fabric, as suites that the test of a fabric inherits. */
package tidepool.contracts;
