/** Records histories of transactions, and reports the anomalies that a recorded history proves. */
module tidepool.history {
    requires com.fasterxml.jackson.core;

    exports tidepool.history;
}
