"""Duties of a server that receives OpenTelemetry data over OTLP, each as one check from outside."""
