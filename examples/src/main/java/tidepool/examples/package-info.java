/** Example programs. Each is complete, and run by the build. */
package tidepool.examples;
