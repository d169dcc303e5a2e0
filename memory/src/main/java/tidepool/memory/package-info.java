/** The memory node: regions of bytes that never run the application's code and know nothing of records. */
package tidepool.memory;
