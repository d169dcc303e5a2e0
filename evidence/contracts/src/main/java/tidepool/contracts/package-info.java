/** The contract of a fabric, as suites that a fabric inherits, and workloads that look for violations of it. */
package tidepool.contracts;
