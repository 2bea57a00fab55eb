"""Files that hold tables: text with separators, NumPy's .npz, Parquet; each in bounded memory."""
