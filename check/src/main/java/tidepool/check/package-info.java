/** What every fabric promises, as suites that a fabric inherits, and workloads that look for broken promises. */
package tidepool.check;
