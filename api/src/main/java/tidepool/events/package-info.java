/**
 * What Tidepool tells the Flight Recorder, by names that begin with {@code tidepool.}; see {@code docs/api.md}. Nobody
 * needs these classes to record or to read the events, so the module keeps them to itself.
 */
package tidepool.events;
