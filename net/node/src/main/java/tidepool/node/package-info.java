/** The memory node as a process: a loop that executes the frames that arrive. */
package tidepool.node;
