package tidepool.cli;

/** A command that works on sources. The distribution has none, so there it is not listed and refuses to run. */
interface NeedsCheckout {}
