/**
 * The events of Tidepool for the Flight Recorder, with names that begin with {@code tidepool.}; see
 * {@code docs/guide/events.md}. Recording and reading the events does not need these classes, so the module does not
 * export them.
 */
package tidepool.events;
